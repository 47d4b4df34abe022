import manifest from '../../package.json' with { type: 'json' };

/** This tool's own version; bundled in, so that a committed dist/ knows it without its package.json. */
export const version: string = manifest.version;
