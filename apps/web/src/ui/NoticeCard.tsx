/** A page with one message and its links. */
import { Icon, type IconName } from '@markwright/controls';
import type { ReactNode } from 'react';

interface NoticeCardProps {
  readonly title: string;
  readonly icon?: IconName;
  readonly tone?: 'plain' | 'good' | 'bad';
  /** Stands under the title. */
  readonly children?: ReactNode;
  /** Buttons and links, the primary one first. */
  readonly actions?: ReactNode;
}

const tones = { plain: 'text-graphite', good: 'text-success', bad: 'text-danger' };

export function NoticeCard({ title, icon, tone = 'plain', children, actions }: NoticeCardProps) {
  return (
    <div className="crop-marks w-full max-w-[440px] rounded-control bg-paper p-6 sm:p-8">
      {icon && <Icon name={icon} className={`-ml-1 mb-3 size-8 ${tones[tone]}`} />}
      <h1 className="text-xl">{title}</h1>
      {children}
      {actions && <div className="mt-7 flex flex-wrap gap-2 max-sm:*:w-full">{actions}</div>}
    </div>
  );
}

/** Centers a notice on the page. */
export function NoticePlace({ children }: { children: ReactNode }) {
  return (
    <main className="grid flex-1 place-items-start justify-items-center px-7 py-12 sm:place-items-center">
      {children}
    </main>
  );
}
