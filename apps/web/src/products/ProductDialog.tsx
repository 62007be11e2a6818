import type { Product } from '@markwright/contract/schemas';
import { Button } from '@markwright/controls';
import { Modal } from '../ui/dialog.tsx';
import type { CategoryNames, ProductEntry } from './ProductFields.tsx';
import { ProductForm } from './ProductForm.tsx';

interface ProductDialogProps {
  readonly isOpen: boolean;
  /** The product to change; absent for a new one. */
  readonly product?: Product | undefined;
  readonly names: CategoryNames;
  /** Only PNG, JPG and SVG pictures are taken. */
  readonly isStrict?: boolean;
  onClose(): void;
  /** Resolves with false when it was not stored: the dialog stays open then. */
  onSubmit(entry: ProductEntry, picture: File | undefined): Promise<boolean>;
}

/** The dialog that adds or changes a product. */
export function ProductDialog({ isOpen, product, names, isStrict = false, onClose, onSubmit }: ProductDialogProps) {
  return (
    <Modal
      isOpen={isOpen}
      size="form"
      title={product ? `Edit ${product.name}` : 'Add a product'}
      description={
        product
          ? 'A new picture takes the old one’s place everywhere.'
          : 'A picture of the blank, and how large its print area is.'
      }
      onClose={onClose}
    >
      {isOpen && (
        <div className="mt-5">
          <ProductForm
            {...names}
            product={product}
            isStrict={isStrict}
            submitLabel={product ? 'Save' : 'Add product'}
            onSubmit={async (entry, picture) => {
              const isStored = await onSubmit(entry, picture);
              if (isStored) onClose();
              return isStored;
            }}
          >
            <Button size="lg" variant="ghost" onClick={onClose}>
              Cancel
            </Button>
          </ProductForm>
        </div>
      )}
    </Modal>
  );
}
