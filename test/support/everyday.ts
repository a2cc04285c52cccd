import { offlinePlanner } from '../../src/app/planner.ts';

/** All that plans without a model, with the weights that are shipped and no playbook. */
export const everydayPlanner = offlinePlanner([]).planner;
