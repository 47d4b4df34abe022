import { gateStep } from '../action/gate-step.ts';
import { runStep } from '../action/run-step.ts';

await runStep(gateStep);
