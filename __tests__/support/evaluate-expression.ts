import { data, Evaluator, Lexer, Parser } from '@actions/expressions';
import type { FunctionDefinition } from '@actions/expressions/funcs/info';
import { truthy } from '@actions/expressions/result';
import { BasicExpressionToken, type TemplateToken } from '@actions/workflow-parser/templates/tokens/index';

/** What a runner knows while it evaluates a step: contexts by name, and the status so far. */
export interface Contexts {
  readonly values: Readonly<Record<string, unknown>>;
  readonly status: 'success' | 'failure' | 'cancelled';
}

/** The value of a scalar of an action.yml, as the text that a process would be given. */
export function evaluateToken(token: TemplateToken | undefined, contexts: Contexts): string {
  if (!token) return '';
  if (!(token instanceof BasicExpressionToken)) return token.assertScalar('value').toString();
  return evaluateExpression(token.expression, contexts).coerceString();
}

/** Whether a step's condition holds. */
export function holds(expression: string, contexts: Contexts): boolean {
  return truthy(evaluateExpression(expression, contexts));
}

function evaluateExpression(expression: string, contexts: Contexts): data.ExpressionData {
  const functions = statusFunctions(contexts.status);
  const { tokens } = new Lexer(expression).lex();
  const tree = new Parser(tokens, Object.keys(contexts.values), functions).parse();
  const values = toData(contexts.values) as data.Dictionary;
  return new Evaluator(tree, values, new Map(functions.map((f) => [f.name, f]))).evaluate();
}

function statusFunctions(status: Contexts['status']): FunctionDefinition[] {
  const values: Record<string, boolean> = {
    always: true,
    success: status === 'success',
    failure: status === 'failure',
    cancelled: status === 'cancelled',
  };
  return Object.entries(values).map(([name, value]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(value),
  }));
}

function toData(value: unknown): data.ExpressionData {
  return JSON.parse(JSON.stringify(value ?? null), data.reviver);
}
