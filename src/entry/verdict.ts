import { runStep } from '../action/run-step.ts';
import { verdictStep } from '../action/verdict-step.ts';

await runStep(verdictStep);
