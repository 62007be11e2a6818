/** The name of a card while it is changed. Enter and leaving it take the name, Escape leaves it as it was. */
import { MAX_NAME_LENGTH } from '@markwright/scene';
import { type KeyboardEvent, useEffect, useRef } from 'react';

export function NameField({
  name,
  placeholder,
  onEnd,
}: {
  name: string;
  placeholder: string;
  onEnd(name: string | undefined): void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useEffect(() => input.current?.select(), []);
  const end = (newName: string | undefined) => {
    if (isOver.current) return;
    isOver.current = true;
    onEnd(newName);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') end(event.currentTarget.value.trim());
    if (event.key !== 'Escape') return;
    // Escape would close the window too.
    event.preventDefault();
    event.stopPropagation();
    end(undefined);
  };
  return (
    <input
      ref={input}
      aria-label="Name"
      defaultValue={name}
      placeholder={placeholder}
      maxLength={MAX_NAME_LENGTH}
      onKeyDown={onKeyDown}
      onBlur={(event) => end(event.currentTarget.value.trim())}
      className="-mx-1.5 -my-1 h-7 w-[calc(100%+12px)] rounded-control border border-edge bg-paper px-1.5 font-medium text-sm"
    />
  );
}
