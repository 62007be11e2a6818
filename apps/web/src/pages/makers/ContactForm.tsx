/** The form for a message to a maker. */
import { MakerMessage } from '@markwright/contract/forms';
import type { Maker } from '@markwright/contract/schemas';
import { MAKER_LIMITS } from '@markwright/contract/words';
import { Button, Field, Icon, TextArea, TextInput } from '@markwright/controls';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api.ts';
import { messageOf } from '../../request.ts';
import { EmailInput } from '../../ui/EmailInput.tsx';
import { errorsOf, useForm } from '../../ui/useForm.ts';

const fieldNames = ['name', 'email', 'message', 'designLink', 'website'] as const;

interface Props {
  readonly maker: Maker;
  /** The signed-in reader's address, as the field's first value. */
  readonly email: string;
}

export function ContactForm({ maker: { id, name, stamp: currentStamp }, email }: Props) {
  const [isSent, setSent] = useState(false);
  // Keeps the stamp of when the page was opened, also when the maker is read again.
  const [stamp] = useState(currentStamp);
  const confirmation = useRef<HTMLHeadingElement>(null);
  // The focused button is gone, so the focus moves to the confirmation.
  useEffect(() => {
    if (isSent) confirmation.current?.focus();
  }, [isSent]);

  const { formProps, errors, isBusy } = useForm<(typeof fieldNames)[number]>({
    names: fieldNames,
    async submit(values) {
      const result = MakerMessage.safeParse({ ...values, stamp });
      if (!result.success) return errorsOf(result.error.issues);
      try {
        await api.makers.write({ params: { id }, body: result.data });
        setSent(true);
        return undefined;
      } catch (error) {
        return { form: messageOf(error) };
      }
    },
  });

  if (isSent) {
    return (
      <section role="status" className="crop-marks rounded-control bg-paper p-6">
        <Icon name="check" className="mb-2 size-7 text-success" />
        <h2 ref={confirmation} tabIndex={-1} className="text-lg outline-none">
          Your message is on its way
        </h2>
        <p className="mt-1 text-graphite">{name} answers to your address by mail.</p>
        <Button className="mt-5" onClick={() => setSent(false)}>
          Write another one
        </Button>
      </section>
    );
  }
  return (
    <form
      {...formProps}
      aria-labelledby="write"
      className="crop-marks relative grid gap-4 rounded-control bg-paper p-6"
    >
      <div>
        <h2 id="write" className="text-lg [overflow-wrap:anywhere]">
          Write to {name}
        </h2>
        <p className="mt-1 text-graphite">What you want made, how many, and by when.</p>
      </div>
      <Field label="Your name" error={errors.name}>
        {(control) => <TextInput {...control} name="name" autoComplete="name" maxLength={120} required />}
      </Field>
      <Field label="Your email" hint="The answer goes there." error={errors.email}>
        {(control) => <EmailInput {...control} defaultValue={email} maxLength={254} required />}
      </Field>
      <Field label="Message" error={errors.message}>
        {(control) => (
          <TextArea
            {...control}
            name="message"
            rows={6}
            maxLength={MAKER_LIMITS.message}
            required
            className="min-h-32 resize-y"
          />
        )}
      </Field>
      <Field label="Link to your design (optional)" error={errors.designLink}>
        {(control) => (
          <TextInput
            {...control}
            name="designLink"
            type="url"
            inputMode="url"
            placeholder="https://"
            maxLength={MAKER_LIMITS.designLink}
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Field>
      {/* A honeypot: only programs fill in a field that nobody sees. */}
      <div aria-hidden="true" className="absolute top-0 left-[-9999px] h-px w-px overflow-hidden">
        <label>
          Website <input name="website" type="text" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      {errors.form && (
        <p role="alert" className="flex gap-2.5 rounded-control border border-danger p-3 text-danger">
          <Icon name="warning" />
          <span>{errors.form} What you wrote is still here.</span>
        </p>
      )}
      <Button type="submit" variant="primary" size="lg" isBusy={isBusy}>
        {isBusy ? 'Sending…' : 'Send message'}
      </Button>
      <p className="text-graphite text-xs">Your name and address go to the maker and to nobody else.</p>
    </form>
  );
}
