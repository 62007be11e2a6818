/**
 * Tells the caller of a streamed call its place while its work waits. The stream hears of it past all the use cases in
 * between: none of them has to do anything about it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** `place` is 1 for the next one, and 0 when work that waited begins. */
export type ReportPlace = (place: number) => void;

const current = new AsyncLocalStorage<ReportPlace>();

/** Runs work whose places are reported here. */
export const withPlaceReports = <T>(report: ReportPlace, work: () => T): T => current.run(report, work);

/** Returns where the call that runs now reports its place; undefined when nobody listens. */
export const findPlaceReport = (): ReportPlace | undefined => current.getStore();
