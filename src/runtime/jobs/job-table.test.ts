import { describe, expect, it } from 'vitest';
import { JOB_TIMES } from '../../model/config/running.ts';
import { JOBS } from './job-table.ts';

describe('the table of jobs', () => {
  it('has one job for each time', () => {
    expect(JOBS.map(({ schedule }) => schedule).sort()).toEqual(Object.keys(JOB_TIMES).sort());
    expect(new Set(JOBS.map(({ name }) => name)).size).toBe(JOBS.length);
  });

  it('puts into the queue what machines that share a memory must not all do', () => {
    const queued = JOBS.flatMap(({ name, queue }) => (queue === undefined ? [] : [`${name}: ${queue}`]));
    expect(queued).toEqual([
      'index: unwritten',
      'extract: own',
      'checkpoint: own',
      'daily: shared',
      'weekly: shared',
      'monthly: shared',
      'reflect: shared',
      'decay: shared',
    ]);
  });
});
