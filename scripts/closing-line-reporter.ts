import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Ends the test run with one plain line, `N passed, N failed`, for machines that read only the last line. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = (state: ReturnType<TestCase['result']>['state']) =>
      modules.reduce((sum, module) => sum + [...module.children.allTests(state)].length, 0);
    // A file that could not even be read holds no tests, and an error outside of tests belongs to none: both are failures.
    const broken = modules.filter((module) => module.errors().length > 0).length + unhandledErrors.length;
    const skipped = count('skipped');
    // After the other reporters, which write when this hook has returned.
    process.once('exit', () => {
      process.stdout.write(
        `\n${count('passed')} passed, ${count('failed') + broken} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
      );
    });
  }
}
