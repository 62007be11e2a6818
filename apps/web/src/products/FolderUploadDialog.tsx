import type { ReactNode } from 'react';
import { Modal } from '../ui/dialog.tsx';
import { FolderUpload } from './FolderUpload.tsx';
import type { Sender } from './folderUpload.ts';

interface Props {
  readonly isOpen: boolean;
  readonly description: string;
  /** Explains how the folders are read. */
  readonly children: ReactNode;
  readonly sender: Sender;
  onClose(): void;
  /** Products were added: lists that show them are out of date. */
  onAdd(): void;
}

/** The dialog that uploads a folder of pictures, each as a product. */
export function FolderUploadDialog({ isOpen, description, children, sender, onClose, onAdd }: Props) {
  return (
    <Modal isOpen={isOpen} size="form" title="Upload a folder" description={description} onClose={onClose}>
      {isOpen && (
        <div className="mt-5">
          <FolderUpload sender={sender} onAdd={onAdd}>
            {children} What is there already is skipped, so a folder can be sent again.
          </FolderUpload>
        </div>
      )}
    </Modal>
  );
}
