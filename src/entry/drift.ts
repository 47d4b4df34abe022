import { driftStep } from '../action/drift-step.ts';
import { runStep } from '../action/run-step.ts';

await runStep(driftStep);
