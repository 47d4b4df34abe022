import { readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import * as core from '@actions/core';
import { acceptCommand } from '../command/run.ts';
import { runGate } from '../command/run-gate.ts';
import { withIo } from '../command/with-io.ts';
import { loadPlan } from '../config/load-plan.ts';
import type { Plan } from '../config/plan.ts';
import { readInputs, readSwitch } from '../config/read-inputs.ts';
import { createGitHub } from '../drift/github-client.ts';
import { annotations } from '../publish/annotations.ts';
import { trendPoint } from '../publish/history/trend-point.ts';
import { withHistory } from '../publish/history/with-history.ts';
import type { Publication } from '../publish/publication.ts';
import { gateOutputs, setOutputs } from '../publish/set-outputs.ts';
import { renderTerminal } from '../publish/terminal.ts';

/**
 * The gate step: measures, judges and leaves the report folder. Ends in success whatever the verdict is; the verdict step
 * comes last and turns the verdict into the job's result.
 * @throws ConfigError, which fails this step
 */
export async function gateStep(): Promise<void> {
  const given = readInputs();
  // Before anything is measured: a mistake in these must not cost a finished run its verdict.
  const wanted = {
    annotations: readSwitch('annotations', core.getInput('annotations') || 'true'),
    summary: readSwitch('summary', core.getInput('summary') || 'true'),
  };
  const plan = await loadPlan(given, process.cwd(), process.env);
  // Put out as soon as the folder is ours, so that the upload step finds partial evidence even if this process is killed,
  // and never what somebody else, or an earlier run, left there.
  const reportFolderReady = (): void => warn(setOutputs({ 'report-path': plan.output }));
  const publication = await withIo((io) =>
    runGate(plan, { ...io, reportFolderReady }, { accept: acceptCommand(given) }, historyFor(plan)),
  );

  process.stdout.write(renderTerminal(publication, { color: true, width: 120, folder: plan.output }));
  if (wanted.annotations) annotate(publication);
  if (wanted.summary) await writeSummary(plan.output);
  warn(setOutputs({ ...gateOutputs(publication, plan.output) }));
}

/** Reads earlier runs when the workflow asked for it; the trend's point of this run is made either way. */
function historyFor(plan: Plan): (p: Publication) => Promise<Publication> {
  const { env } = process;
  const compareWith = core.getInput('compare-with');
  if (compareWith !== 'previous') {
    if (compareWith !== '') warn([`compare-with: "${compareWith}" is not "previous"; nothing is compared.`]);
    return async (p) => ({ ...p, trend: [trendPoint(p.verdict, env)] });
  }
  const github = createGitHub({
    token: core.getInput('github-token'),
    ...(env.GITHUB_API_URL ? { baseUrl: env.GITHUB_API_URL } : {}),
  });
  return (p) =>
    withHistory(p, {
      github,
      env,
      name: {
        chosen: core.getInput('artifact-name') || undefined,
        name: plan.name,
        profiles: plan.profiles.map(({ profile }) => profile.slug),
        job: env.GITHUB_JOB,
        matrix: core.getInput('matrix') || undefined,
      },
    });
}

function annotate(publication: Publication): void {
  const root = process.env.GITHUB_WORKSPACE ?? process.cwd();
  for (const { level, title, message, file, line } of annotations(publication)) {
    const properties = {
      title,
      ...(file === undefined ? {} : { file: relative(root, resolve(file)) }),
      ...(line === undefined ? {} : { startLine: line }),
    };
    if (level === 'error') core.error(message, properties);
    else core.warning(message, properties);
  }
}

async function writeSummary(folder: string): Promise<void> {
  try {
    await core.summary.addRaw(await readFile(join(folder, 'summary.md'), 'utf8'), true).write();
  } catch (error) {
    warn([`The job summary was not written: ${error instanceof Error ? error.message : String(error)}`]);
  }
}

function warn(texts: readonly string[]): void {
  for (const text of texts) core.warning(text);
}
