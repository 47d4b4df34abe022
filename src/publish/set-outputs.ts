import * as core from '@actions/core';
import { fitBytes } from '../shared/byte-budget.ts';
import { oneLine } from '../shared/escape-controls.ts';
import type { Publication } from './publication.ts';

/** Bytes of one output. All outputs of a job together may have 1 MiB, and bulk belongs into files. */
const MOST = 4096;

/** What the gate step tells later steps. Bulk (findings, checks) is in the files that the paths name. */
export interface GateOutputs {
  readonly outcome: string;
  readonly 'outcome-class': string;
  /** How many. */
  readonly findings: string;
  readonly headline: string;
  readonly 'report-path': string;
  readonly 'verdict-file': string;
  readonly 'summary-file': string;
}

/** @param folder the report folder, as later steps can open it */
export function gateOutputs({ verdict }: Publication, folder: string): GateOutputs {
  const inside = (name: string) => `${folder.replace(/[\\/]+$/, '')}/${name}`;
  return {
    outcome: verdict.outcome,
    'outcome-class': verdict.outcomeClass,
    findings: String(verdict.findings.length),
    headline: fitBytes(oneLine(verdict.headline), MOST),
    'report-path': folder,
    'verdict-file': inside('verdict.json'),
    'summary-file': inside('summary.md'),
  };
}

/**
 * Writes step outputs through the runner's file command, whose delimiter is random for each value; a value cannot end its
 * own block or start another output.
 * @returns a warning for each output that could not be set
 */
export function setOutputs(outputs: Readonly<Record<string, string>> | GateOutputs): string[] {
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(outputs)) {
    try {
      core.setOutput(name, value.toWellFormed());
    } catch (error) {
      warnings.push(`Output ${name} was not set: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return warnings;
}
