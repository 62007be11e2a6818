import { Button, Field, TextInput } from '@markwright/controls';
import { useState } from 'react';
import { toast } from '../../../ui/notices.ts';
import { SwitchLine } from '../../../ui/SwitchLine.tsx';
import { useForm } from '../../../ui/useForm.ts';
import type { Shop } from './shop.ts';

export function CompanySettings({ company, change }: Shop) {
  const [name, setName] = useState(company.companyName);
  const isUnchanged = name.trim() === '' || name.trim() === company.companyName;

  const { formProps, isBusy } = useForm({
    names: [],
    async submit() {
      if (isUnchanged) return undefined;
      const settings = await change({ companyName: name });
      if (settings) {
        setName(settings.companyName);
        toast({ title: 'Company name saved', description: 'Your customers read it in orders and mails.' });
      }
      return undefined;
    },
  });

  return (
    <>
      <form {...formProps} className="flex flex-wrap items-end gap-2 pt-1 pb-5">
        <Field label="Company name" className="min-w-0 max-w-[420px] flex-[1_1_220px]">
          {(control) => (
            <TextInput
              {...control}
              value={name}
              maxLength={120}
              autoComplete="organization"
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" className="h-9 pointer-coarse:h-11" disabled={isUnchanged} isBusy={isBusy}>
          Save
        </Button>
      </form>
      <SwitchLine
        label="Custom products"
        text="Add blanks of your own. When this is off, the ones you have stay in your studio."
        look="strong"
        checked={company.customProductsEnabled}
        onChange={(customProductsEnabled) => void change({ customProductsEnabled })}
        className="-mx-5 border-line border-t px-5 pt-4"
      />
    </>
  );
}
