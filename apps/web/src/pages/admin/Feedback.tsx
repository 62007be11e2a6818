/** The feedback, newest first. */
import { calls } from '@markwright/contract/paths';
import { NO_EMAIL } from '@markwright/contract/words';
import { Ago } from '../../ui/Ago.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Listing, usePages } from '../../ui/PagedList.tsx';
import { TextLink } from '../../ui/TextLink.tsx';
import { adminApi } from './adminApi.ts';

export function Feedback() {
  const query = usePages([calls.admin.feedback.path], (query, signal) => adminApi.feedback({ query }, { signal }));
  const entries = query.data?.pages.flatMap((page) => page.feedback) ?? [];
  return (
    <Listing
      query={query}
      failure="The feedback could not be read."
      empty={
        <EmptyState title="No feedback yet" action={<TextLink to="/feedback">Open the feedback page</TextLink>}>
          What people write on the feedback page comes here, with their address if they leave one.
        </EmptyState>
      }
      count={entries.length}
      noun={['message', 'messages']}
    >
      <ul className="divide-y divide-line">
        {entries.map(({ id, name, email, userId, feedback, createdAt }) => (
          <li key={id} className="p-5">
            <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
              <h2 className="font-semibold [overflow-wrap:anywhere]">{name}</h2>
              {isAddress(email) ? (
                <a
                  href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}
                  className="text-graphite underline decoration-edge underline-offset-2 [overflow-wrap:anywhere] hover:text-ink"
                >
                  {email}
                </a>
              ) : (
                <span className="text-graphite [overflow-wrap:anywhere]">{email}</span>
              )}
              {userId !== null && <span className="text-graphite text-sm">account {userId}</span>}
              <Ago time={createdAt} className="ml-auto whitespace-nowrap text-graphite text-sm" />
            </div>
            <p className="mt-2 max-w-[90ch] whitespace-pre-wrap [overflow-wrap:anywhere]">{feedback}</p>
          </li>
        ))}
      </ul>
    </Listing>
  );
}

const isAddress = (email: string): boolean => email !== NO_EMAIL && /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/.test(email);
