import * as core from '@actions/core';
import { driftIo, shown, trialPlan, watchPlan } from '../command/drift-handler.ts';
import { withIo } from '../command/with-io.ts';
import { planContext } from '../config/load-plan.ts';
import { readInputs } from '../config/read-inputs.ts';
import { runDrift } from '../drift/run-drift.ts';
import {
  DEFAULT_LABELS,
  gitHubSettings,
  parseFailOn,
  parseNames,
  parseRepository,
} from '../drift/settings.ts';
import { setOutputs } from '../publish/set-outputs.ts';

/**
 * The drift step: looks, tries, reports, and keeps the issue. Ends in success whatever moved; `failed` tells the verdict step
 * what fail-on-drift makes of it. What GitHub refuses to write is a notice, and the report is in the summary all the same.
 * @throws ConfigError, which fails this step
 */
export async function driftStep(): Promise<void> {
  const failOn = parseFailOn(core.getInput('fail-on-drift'));
  const labels = parseNames(core.getInput('issue-labels'));
  const token = core.getInput('github-token');
  if (token !== '') core.setSecret(token);
  const given = readInputs();
  const folder = core.getInput('report-path');
  const context = await planContext(
    folder === '' ? given : { ...given, output: folder },
    process.cwd(),
    process.env,
  );
  const github = gitHubSettings(process.env, token);
  const plan = watchPlan(context);
  const result = await withIo((io) =>
    runDrift(plan, {
      ...driftIo(io),
      upstream: github.upstream,
      issue: {
        api: github.issue,
        ...parseRepository(process.env.GITHUB_REPOSITORY ?? ''),
        labels: labels.length > 0 ? labels : [...DEFAULT_LABELS],
        assignees: parseNames(core.getInput('issue-assignees')),
      },
      trial: trialPlan(context),
      failOn,
      reuse: true,
    }),
  );
  process.stdout.write(await shown(result, plan.output));
  const { issue } = result;
  if (issue?.kind === 'not-written')
    core.notice('The drift report is in the job summary only: the issue could not be written.', {
      title: 'MCP conformance gate: drift',
    });
  await addToSummary(result.markdown);
  const outputs = {
    drift: result.report.status,
    failed: String(result.outcome !== 'pass'),
    'issue-url': issue !== undefined && 'url' in issue ? issue.url : '',
  };
  for (const text of setOutputs(outputs)) core.warning(text);
}

async function addToSummary(markdown: string): Promise<void> {
  try {
    await core.summary.addRaw(`${markdown}\n`, true).write();
  } catch (error) {
    core.warning(
      `The job summary was not written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
