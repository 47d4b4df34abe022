import { expect, test } from 'vitest';
import { foreignEnv, toolEnv } from '../../src/referee/child-env.ts';

const env = {
  PATH: '/bin',
  HOME: '/home/me',
  HTTPS_PROXY: 'http://proxy',
  NODE_EXTRA_CA_CERTS: '/ca.pem',
  NPM_TOKEN: 't',
  npm_config_registry: 'http://registry',
  npm_config_userconfig: '/home/me/.npmrc',
  GIT_SSH_COMMAND: 'ssh -i key',
  LANG: 'C',
  INPUT_TOKEN: 'secret',
  'INPUT_SERVER-COMMAND': 'node server.js',
  GITHUB_TOKEN: 'secret',
  GITHUB_OUTPUT: '/output',
  ACTIONS_RUNTIME_TOKEN: 'secret',
  ACTIONS_RESULTS_URL: 'http://results',
  STATE_x: 'y',
  NODE_OPTIONS: '--require ./hook.js',
  NODE_ENV: 'production',
  npm_config_omit: 'dev',
  npm_config_global: 'true',
  npm_lifecycle_script: 'vitest',
  npm_package_name: 'mine',
  GIT_DIR: '/my/repository/.git',
  GIT_WORK_TREE: '/my/repository',
  GIT_INDEX_FILE: 'index',
  missing: undefined,
};

test('npm and git keep what reaches registries and repositories, and lose what is the runner’s or this run’s', () => {
  expect(Object.keys(toolEnv(env))).toEqual([
    'PATH',
    'HOME',
    'HTTPS_PROXY',
    'NODE_EXTRA_CA_CERTS',
    'NPM_TOKEN',
    'npm_config_registry',
    'npm_config_userconfig',
    'GIT_SSH_COMMAND',
    'LANG',
  ]);
});

test('foreign code gets what it takes to start programs, and another home', () => {
  expect(foreignEnv(env, '/fresh')).toEqual({
    PATH: '/bin',
    LANG: 'C',
    HOME: '/fresh',
    USERPROFILE: '/fresh',
  });
});
