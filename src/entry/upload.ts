import { runStep } from '../action/run-step.ts';
import { uploadStep } from '../action/upload-step.ts';

await runStep(uploadStep);
