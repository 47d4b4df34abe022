import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ActionTemplate,
  convertActionTemplate,
  parseAction,
} from '@actions/workflow-parser/actions/index';
import type {
  MappingToken,
  ScalarToken,
  TemplateToken,
} from '@actions/workflow-parser/templates/tokens/index';
import { isMapping, isSequence } from '@actions/workflow-parser/templates/tokens/type-guards';

/** A step of a composite action. The official converter drops `with`, so that is read from the parsed tree. */
export interface CompositeStep {
  readonly id: string;
  readonly uses: string | undefined;
  readonly run: boolean;
  readonly condition: string;
  readonly with: ReadonlyMap<string, TemplateToken>;
}

export interface ReadAction {
  readonly name: string;
  readonly text: string;
  readonly inputs: ReadonlyMap<string, { readonly default: ScalarToken | undefined; readonly text: string }>;
  readonly outputs: ReadonlyMap<string, { readonly value: ScalarToken | undefined; readonly text: string }>;
  readonly runs: ActionTemplate['runs'];
  readonly steps: readonly CompositeStep[];
}

/**
 * Reads `folder`/action.yml with the parser that GitHub publishes.
 * @throws Error with everything that the parser objects to
 */
export async function readAction(folder: string): Promise<ReadAction> {
  const file = join(folder, 'action.yml');
  const content = await readFile(file, 'utf8');
  const { context, value } = parseAction({ name: file, content }, { error() {}, info() {}, verbose() {} });
  if (!value) throw new Error(`${file} is empty.`);
  const action = convertActionTemplate(context, value);
  const errors = context.errors.getErrors();
  if (errors.length > 0) throw new Error(errors.map((error) => `${file}: ${error.message}`).join('\n'));
  return {
    name: action.name,
    text: action.description,
    inputs: new Map(
      (action.inputs ?? []).map((i) => [i.id, { default: i.default, text: i.description ?? '' }]),
    ),
    outputs: new Map(
      (action.outputs ?? []).map((o) => [o.id, { value: o.value, text: o.description ?? '' }]),
    ),
    runs: action.runs,
    steps: action.runs.using === 'composite' ? readSteps(action.runs.steps, value) : [],
  };
}

type ConvertedStep = Extract<ActionTemplate['runs'], { using: 'composite' }>['steps'][number];

function readSteps(converted: readonly ConvertedStep[], root: TemplateToken): CompositeStep[] {
  const tokens = child(child(root, 'runs'), 'steps');
  if (!tokens || !isSequence(tokens) || tokens.count !== converted.length) {
    throw new Error('The parser converted another number of steps than there are.');
  }
  return converted.map((step, i) => {
    const parameters = child(tokens.get(i), 'with');
    return {
      id: step.id,
      uses: 'uses' in step ? step.uses.value : undefined,
      run: 'run' in step,
      // A step without `if` runs while everything before it went well.
      condition: step.if?.expression ?? 'success()',
      with: new Map(parameters && isMapping(parameters) ? entries(parameters) : []),
    };
  });
}

function child(token: TemplateToken | undefined, key: string): TemplateToken | undefined {
  return token && isMapping(token) ? token.find(key) : undefined;
}

function entries(mapping: MappingToken): [string, TemplateToken][] {
  return [...mapping].map((pair) => [pair.key.toString(), pair.value]);
}
