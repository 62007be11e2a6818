import { Button, Field, TextInput } from '@markwright/controls';
import { useEffect, useState } from 'react';
import { Modal } from './dialog.tsx';
import { useForm } from './useForm.ts';

interface ConfirmDialogProps {
  readonly isOpen: boolean;
  readonly title: string;
  readonly description: string;
  /** The label of the button that confirms. */
  readonly action: string;
  /** The label of the button that closes the dialog. */
  readonly cancel?: string;
  /** Words that must be typed before the button is enabled. */
  readonly requiredWords?: string;
  onClose(): void;
  /** Resolves with false when the dialog is to stay open. */
  onConfirm(): Promise<boolean>;
}

/** Asks for a confirmation before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, description, action, cancel = 'Keep it', requiredWords, onClose, onConfirm } = props;
  const [words, setWords] = useState('');
  useEffect(() => {
    if (!isOpen) setWords('');
  }, [isOpen]);
  const { formProps, isBusy } = useForm({
    names: [],
    async submit() {
      if (await onConfirm()) onClose();
      return undefined;
    },
  });
  return (
    <Modal isOpen={isOpen} title={title} description={description} onClose={onClose}>
      <form {...formProps} className="mt-6">
        {requiredWords !== undefined && (
          <Field label={`Type “${requiredWords}” to go on`} className="mb-5">
            {(control) => (
              <TextInput
                {...control}
                value={words}
                autoComplete="off"
                onChange={(event) => setWords(event.target.value)}
              />
            )}
          </Field>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button size="lg" variant="ghost" disabled={isBusy} onClick={onClose}>
            {cancel}
          </Button>
          <Button
            type="submit"
            size="lg"
            variant="danger"
            isBusy={isBusy}
            disabled={requiredWords !== undefined && words.trim().toLowerCase() !== requiredWords}
          >
            {action}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
