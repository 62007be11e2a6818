import { siteCalls } from '@markwright/contract/paths/siteCalls';
import type { SiteInfo } from '@markwright/contract/schemas';
import { feedbackFailed, MAX_FEEDBACK_LENGTH, messages, NO_EMAIL, NO_NAME } from '@markwright/contract/words';
import { Button, Field, Icon, TextArea, TextInput } from '@markwright/controls';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { useSearchParams } from '../../navigation.tsx';
import { messageOf, statusOf } from '../../request.ts';
import { useSession } from '../../session.tsx';
import { EmailInput } from '../../ui/EmailInput.tsx';
import { toast } from '../../ui/notices.ts';
import { Page } from '../../ui/Page.tsx';
import { usePageHead } from '../../ui/pageHead.ts';
import { useForm } from '../../ui/useForm.ts';

type Outcome = { readonly kind: 'sent' } | { readonly kind: 'failed'; readonly detail: string | undefined };

export function FeedbackPage() {
  usePageHead({ title: 'Feedback | Markwright', description: 'Tell us what works, what does not, and what you make.' });
  const session = useSession();
  const site = useQuery<SiteInfo>({ queryKey: [siteCalls.site.info.path] });
  const supportEmail = site.data?.supportEmail;
  const [outcome, setOutcome] = useState<Outcome>();
  const about = useAbout();

  const { formProps, errors, isBusy, clear } = useForm({
    names: ['name', 'email', 'feedback'],
    async submit(values, form) {
      const [name, email, feedback] = [values.name.trim(), values.email.trim(), values.feedback.trim()];
      setOutcome(undefined);
      if (!feedback) {
        toast({ ...messages.feedbackRequired, variant: 'destructive' });
        return { feedback: messages.feedbackRequired.description };
      }
      try {
        await api.feedback.send({ body: { name: name || NO_NAME, email: email || NO_EMAIL, feedback } });
        form.reset();
        setOutcome({ kind: 'sent' });
        toast({ title: messages.feedbackSent, description: 'Thank you. We read every message.' });
      } catch (error) {
        const contact = await describeContact();
        setOutcome({ kind: 'failed', detail: statusOf(error) === undefined ? undefined : messageOf(error, '') });
        toast({ title: 'Your feedback was not sent', description: contact, variant: 'destructive' });
      }
      return undefined;
    },
  });

  /** Returns a sentence with another way to reach us. Reads our address when it is not here yet. */
  async function describeContact(): Promise<string> {
    const email = supportEmail ?? (await site.refetch()).data?.supportEmail;
    return email ? feedbackFailed(email) : messages.waitlistFailed.description;
  }

  return (
    <Page session={session}>
      <main className="mx-auto grid w-full max-w-[1040px] flex-1 content-start gap-x-20 gap-y-10 px-7 py-12 lg:grid-cols-[minmax(0,1fr)_minmax(0,520px)] lg:py-20">
        <div>
          <h1 className="text-2xl sm:text-4xl">Tell us what you make.</h1>
          <p className="mt-4 max-w-[44ch] text-graphite text-lg">
            What works, what does not, and what you would pay for. It decides what comes next.
          </p>
          {/* Its line is kept free until the address is known. */}
          <p className="mt-6 min-h-5 text-graphite">
            {supportEmail && (
              <>
                Or write to{' '}
                <a
                  href={`mailto:${supportEmail}`}
                  className="text-ink underline underline-offset-4 [overflow-wrap:anywhere]"
                >
                  {supportEmail}
                </a>
                .
              </>
            )}
          </p>
        </div>
        <form {...formProps} className="crop-marks grid gap-4 rounded-control bg-paper p-6 sm:p-8">
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Name (optional)">
              {(control) => <TextInput {...control} name="name" autoComplete="name" maxLength={120} className="h-11" />}
            </Field>
            <Field label="Email (optional)">
              {(control) => <EmailInput {...control} maxLength={254} className="h-11" />}
            </Field>
          </div>
          <Field label="Feedback" hint="With an email address we can answer you." error={errors.feedback}>
            {(control) => (
              <TextArea
                {...control}
                name="feedback"
                defaultValue={about && `About ${about}:\n\n`}
                required
                rows={8}
                maxLength={MAX_FEEDBACK_LENGTH}
                onInput={() => {
                  setOutcome(undefined);
                  clear();
                }}
                className="min-h-40 resize-y"
              />
            )}
          </Field>
          <Result outcome={outcome} supportEmail={supportEmail} />
          <Button type="submit" variant="primary" size="lg" isBusy={isBusy} className="w-full sm:w-fit">
            {isBusy ? 'Sending…' : 'Send Feedback'}
          </Button>
        </form>
      </main>
    </Page>
  );
}

/** Returns the subject that another page put into the address. */
function useAbout(): string | undefined {
  const search = useSearchParams();
  return typeof search.about === 'string' ? search.about.slice(0, 300) : undefined;
}

function Result({ outcome, supportEmail }: { outcome: Outcome | undefined; supportEmail: string | undefined }) {
  if (outcome?.kind === 'sent') {
    return (
      <p role="status" className="flex items-center gap-2 text-success">
        <Icon name="check" /> Thank you. Your feedback has arrived.
      </p>
    );
  }
  if (outcome?.kind !== 'failed') return null;
  return (
    <div role="alert" className="flex gap-2.5 rounded-control border border-danger p-3 text-danger">
      <Icon name="warning" />
      <p className="[overflow-wrap:anywhere]">
        {outcome.detail && `${outcome.detail} `}
        {supportEmail ? `${feedbackFailed(supportEmail)}.` : messages.waitlistFailed.description} What you wrote is
        still here.
      </p>
    </div>
  );
}
