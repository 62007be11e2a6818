import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';

/** The question before the first file of a blank that is on the device only. */
export default function OptInDialog({ onAnswer }: { onAnswer(isOn: boolean): void }) {
  return (
    <ConfirmDialog
      isOpen
      title="Add this blank to your products?"
      description="Your files are made with products of your shop, and this blank is on this device only. Custom products are off: this switches them on."
      action="Enable Custom Products"
      cancel="Not now"
      onClose={() => onAnswer(false)}
      onConfirm={async () => {
        onAnswer(true);
        return false;
      }}
    />
  );
}
