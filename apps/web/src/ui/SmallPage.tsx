import type { ReactNode } from 'react';
import type { Session } from '../session.tsx';
import { Page } from './Page.tsx';

interface Props {
  readonly session: Session;
  readonly title: string;
  /** One line under the title. */
  readonly text?: ReactNode;
  readonly children?: ReactNode;
}

/** A page with a single form or message: a sheet between crop marks in the middle. */
export function SmallPage({ session, title, text, children }: Props) {
  return (
    <Page session={session}>
      {/* From the top, not centered: what grows or shrinks later does not move the rest. */}
      <main className="grid flex-1 content-start justify-items-center px-5 pt-12 pb-16 sm:pt-[13vh]">
        <div className="crop-marks w-full max-w-[400px] rounded-control bg-paper p-6 sm:p-8">
          <div aria-live="polite">
            <h1 className="text-xl">{title}</h1>
            {text && <p className="mt-1 text-graphite [overflow-wrap:anywhere]">{text}</p>}
          </div>
          {children}
        </div>
      </main>
    </Page>
  );
}

/** The body of a small page whose answer has not come yet. */
export function PleaseWait() {
  return (
    <div role="status" className="mt-6">
      <span className="sr-only">Please wait</span>
      <div className="ruler h-4 animate-pulse" aria-hidden="true" />
    </div>
  );
}
