import type { ReactNode } from 'react';

/** Replaces a page's content for people who may not see it. */
export function AccessDenied({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <main className="grid flex-1 place-items-center p-8">
      <div className="crop-marks w-full max-w-md border border-line border-dashed px-6 py-14 text-center">
        <h1 className="text-xl">{title}</h1>
        {text && <p className="mt-2 text-graphite">{text}</p>}
        <div className="mt-6 flex flex-wrap justify-center gap-x-4 gap-y-2">{children}</div>
      </div>
    </main>
  );
}
