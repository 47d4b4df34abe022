import { expect, test } from 'vitest';
import { refereeEnvironment, targetEnvironment } from '../../src/shared/child-environment.ts';

const own = {
  PATH: '/bin',
  NODE_OPTIONS: '--require ./spy.js',
  INPUT_HEADER: 'Authorization: secret',
  ACTIONS_RUNTIME_TOKEN: 'secret',
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'secret',
  GITHUB_OUTPUT: '/runner/output',
  GITHUB_STEP_SUMMARY: '/runner/summary',
  GITHUB_SHA: 'abc',
};

test('a target gets neither the step’s secrets nor the files with which it could write the step’s outputs', () => {
  expect(targetEnvironment(own, { PORT: '1', PATH: '/mine' })).toEqual({
    PATH: '/mine',
    NODE_OPTIONS: '--require ./spy.js',
    GITHUB_SHA: 'abc',
    PORT: '1',
  });
});

test('nothing changes what the pinned referee runs', () => {
  expect(refereeEnvironment(own)).toEqual({
    PATH: '/bin',
    GITHUB_SHA: 'abc',
    NO_COLOR: '1',
    FORCE_COLOR: '0',
  });
});
