import { completable, type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** One walk in the book. Lengths in kilometres, climbs in metres. */
interface Trail {
  readonly id: string;
  readonly name: string;
  readonly km: number;
  readonly climb: number;
  readonly notes: string;
}

const TRAILS: readonly Trail[] = [
  {
    id: 'lake-loop',
    name: 'Lake loop',
    km: 6.5,
    climb: 80,
    notes: 'Flat, pushchair friendly, café at the pier.',
  },
  {
    id: 'north-ridge',
    name: 'North ridge',
    km: 14,
    climb: 920,
    notes: 'Exposed above the hut; not in wind.',
  },
  { id: 'mill-valley', name: 'Mill valley', km: 9.2, climb: 260, notes: 'Two fords; boots in spring.' },
  { id: 'old-pass', name: 'Old pass', km: 21, climb: 1310, notes: 'A long day; last bus at 18:10.' },
];

const asJson = (value: unknown) => JSON.stringify(value, null, 2);

/** The product: a small guide to walks, as tools, resources and a prompt. Everything in it is the same on each run. */
export function addTrailbook(server: McpServer): void {
  server.registerTool(
    'search_trails',
    {
      title: 'Search trails',
      description: 'Finds walks no longer than a number of kilometres, the gentlest first.',
      inputSchema: z.object({
        maxKm: z.number().positive().describe('Longest acceptable walk, in kilometres'),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ maxKm }) => {
      const found = TRAILS.filter((trail) => trail.km <= maxKm).sort((a, b) => a.climb - b.climb);
      return { content: [{ type: 'text', text: asJson(found) }] };
    },
  );

  server.registerTool(
    'walking_time',
    {
      title: 'Walking time',
      description: 'Estimates how long a walk takes: 4 km an hour, plus an hour for each 400 m of climb.',
      inputSchema: z.object({ trail: z.enum(TRAILS.map((trail) => trail.id)) }),
      outputSchema: z.object({ trail: z.string(), minutes: z.number().int() }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ trail: id }) => {
      const trail = TRAILS.find((candidate) => candidate.id === id);
      if (!trail) throw new Error(`There is no trail ${id}.`);
      const structuredContent = { trail: id, minutes: Math.round((trail.km / 4 + trail.climb / 400) * 60) };
      return { content: [{ type: 'text', text: asJson(structuredContent) }], structuredContent };
    },
  );

  server.registerResource(
    'trails',
    'trailbook://trails',
    { title: 'All trails', description: 'Every walk in the book.', mimeType: 'application/json' },
    (uri) => ({ contents: [{ uri: uri.href, mimeType: 'application/json', text: asJson(TRAILS) }] }),
  );

  server.registerResource(
    'trail',
    new ResourceTemplate('trailbook://trails/{id}', {
      list: undefined,
      complete: { id: (value) => TRAILS.map((trail) => trail.id).filter((id) => id.startsWith(value)) },
    }),
    { title: 'One trail', description: 'One walk, by its id.', mimeType: 'application/json' },
    (uri, { id }) => {
      const trail = TRAILS.find((candidate) => candidate.id === id);
      if (!trail) throw new Error(`There is no trail ${id}.`);
      return { contents: [{ uri: uri.href, mimeType: 'application/json', text: asJson(trail) }] };
    },
  );

  server.registerPrompt(
    'plan_a_day',
    {
      title: 'Plan a day out',
      description: 'Asks for a plan of a day around one walk.',
      argsSchema: z.object({
        trail: completable(z.string().describe('The id of a trail'), (value) =>
          TRAILS.map((trail) => trail.id).filter((id) => id.startsWith(value)),
        ),
      }),
    },
    ({ trail }) => ({
      messages: [
        {
          role: 'user',
          content: { type: 'text', text: `Plan a day around the walk "${trail}": start, breaks, way home.` },
        },
      ],
    }),
  );
}
