import { z } from 'zod';
import type { Check } from '../reports/report.ts';

/** The two checks that the referee adds to scenarios itself (src/validation/wire-schema.ts upstream). */
const IDS = new Set(['wire-schema-valid', 'wire-schema-harness-error']);

const detailsSchema = z.looseObject({
  violations: z.array(
    z.looseObject({
      origin: z.string(),
      specVersion: z.string(),
      context: z.string(),
      errors: z.array(z.string()),
      message: z.unknown(),
    }),
  ),
});

export const isWireSchemaCheck = (check: Check) => IDS.has(check.id);

/**
 * Named normalisation `wire-schema`. These checks carry the whole offending message three times over, with its request
 * number and everything random in it. What they assert is who sent what, where, and what is wrong with it; that stays, one
 * line per violation. A list element in an error is named instead of numbered, `tools/[echo]` instead of `tools/3`, so that
 * adding a tool in front of it changes nothing.
 * @returns the reduced evidence, or the check itself when it is not of the known shape
 */
export function wireSchemaEvidence(check: Check): { readonly [member: string]: unknown } {
  const details = detailsSchema.safeParse(check.details);
  if (!details.success) return check;
  const { details: _details, ...rest } = check;
  const lines = details.data.violations.map(({ origin, specVersion, context, errors, message }) => {
    const named = errors.map((error) => nameIndices(error, message));
    return `${context}: ${named.join('; ')} [${origin}, ${specVersion}]`;
  });
  return { ...rest, errorMessage: lines.join('\n') };
}

/** `ListToolsResult/tools/3/inputSchema: …` → `ListToolsResult/tools/[echo]/inputSchema: …` */
function nameIndices(error: string, message: unknown): string {
  const colon = error.indexOf(':');
  const path = colon === -1 ? error : error.slice(0, colon);
  const [definition, ...segments] = path.split('/');
  // Paths start at the message for requests, at its result for results.
  let at: unknown = [message, member(message, 'result'), member(message, 'params')].find(
    (candidate) => member(candidate, segments[0] ?? '') !== undefined,
  );
  const named = segments.map((segment) => {
    const inside = member(at, segment);
    const name = Array.isArray(at) ? nameOf(inside) : undefined;
    at = inside;
    return name === undefined ? segment : `[${name}]`;
  });
  return [definition, ...named].join('/') + (colon === -1 ? '' : error.slice(colon));
}

function nameOf(element: unknown): string | undefined {
  for (const key of ['name', 'uriTemplate', 'uri']) {
    const value = member(element, key);
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}
