/** The dialogs over the catalogue's page: add, edit, delete, upload a folder. */
import type { AdminProduct, BaseCategory } from '@markwright/contract/schemas';
import { messages } from '@markwright/contract/words';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api.ts';
import { FolderUploadDialog } from '../../../products/FolderUploadDialog.tsx';
import { ProductDialog } from '../../../products/ProductDialog.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { formatCount } from '../../../ui/counts.ts';
import { bulkSender } from './bulkSender.ts';
import { refreshAll, useChange } from './changes.ts';

/** The dialog that is open, with what it is about. */
export type CatalogueDialog =
  | { readonly kind: 'addProduct' | 'deleteAllProducts' | 'uploadFolder' }
  | { readonly kind: 'editProduct' | 'deleteProduct'; readonly product: AdminProduct }
  | { readonly kind: 'deleteCategory'; readonly category: BaseCategory };

interface CatalogueDialogsProps {
  readonly dialog: CatalogueDialog | undefined;
  readonly categories: readonly BaseCategory[];
  readonly products: readonly AdminProduct[];
  /** The number of all products. */
  readonly total: number;
  onClose(): void;
}

export function CatalogueDialogs({ dialog, categories, products, total, onClose }: CatalogueDialogsProps) {
  const client = useQueryClient();
  const change = useChange();
  const names = {
    categories: categories.map(({ name }) => name),
    subCategories: [...new Set(products.map(({ subCategory }) => subCategory))].filter(Boolean).sort(),
  };
  const editedProduct = dialog?.kind === 'editProduct' ? dialog.product : undefined;
  return (
    <>
      <ProductDialog
        isOpen={dialog?.kind === 'addProduct'}
        names={names}
        isStrict
        onClose={onClose}
        onSubmit={(body, picture) =>
          change(messages.productCreateFailed, async () => {
            const { name, category } = await api.catalogue.addProduct({ body, file: picture! });
            return { title: `${name} added`, description: `Every studio shows it under ${category}.` };
          })
        }
      />
      <ProductDialog
        isOpen={editedProduct !== undefined}
        product={editedProduct}
        names={names}
        isStrict
        onClose={onClose}
        onSubmit={(body, file) =>
          change(messages.productUpdateFailed, async () => {
            const { name } = await api.catalogue.editProduct({ params: { id: editedProduct!.id }, body, file });
            return { title: `${name} saved`, description: 'Every studio shows it like this from now on.' };
          })
        }
      />
      <DeleteProduct product={dialog?.kind === 'deleteProduct' ? dialog.product : undefined} onClose={onClose} />
      <ConfirmDialog
        isOpen={dialog?.kind === 'deleteAllProducts'}
        title={`Delete all ${formatCount(total)} products?`}
        description="Every base product goes from every studio, with its picture. Companies keep their own products. This cannot be undone."
        action="Delete all"
        cancel="Keep"
        requiredWords="delete all"
        onClose={onClose}
        onConfirm={() =>
          change(messages.productsDeleteFailed, async () => {
            const { deletedCount } = await api.catalogue.deleteAllProducts();
            return {
              title: `${formatCount(deletedCount)} products deleted`,
              description: 'The categories are still there.',
            };
          })
        }
      />
      <DeleteCategory category={dialog?.kind === 'deleteCategory' ? dialog.category : undefined} onClose={onClose} />
      <FolderUploadDialog
        isOpen={dialog?.kind === 'uploadFolder'}
        description="Every PNG, JPG or SVG in it becomes a product, called like its file."
        sender={bulkSender}
        onClose={onClose}
        onAdd={() => refreshAll(client)}
      >
        One folder is the category; of two the first is the business; the third is the sub-category.
      </FolderUploadDialog>
    </>
  );
}

function DeleteProduct({ product, onClose }: { product: AdminProduct | undefined; onClose(): void }) {
  const change = useChange();
  return (
    <ConfirmDialog
      isOpen={product !== undefined}
      title={`Delete ${product?.name ?? ''}?`}
      description="It goes from every studio with its picture. Files that were exported stay; designs that use it need another product."
      action="Delete"
      cancel="Keep"
      onClose={onClose}
      onConfirm={() =>
        change(messages.productDeleteFailed, async () => {
          await api.catalogue.deleteProduct({ params: { id: product!.id } });
          return { title: `${product!.name} deleted`, description: 'No studio offers it any more.' };
        })
      }
    />
  );
}

function DeleteCategory({ category, onClose }: { category: BaseCategory | undefined; onClose(): void }) {
  const change = useChange();
  const productCount = category?.productCount ?? 0;
  return (
    <ConfirmDialog
      isOpen={category !== undefined}
      title={`Delete ${category?.name ?? ''}?`}
      description={
        productCount > 0
          ? `Its ${formatCount(productCount)} products are deleted with it.`
          : 'There are no products in it.'
      }
      action={productCount > 0 ? 'Delete with its products' : 'Delete'}
      cancel="Keep"
      onClose={onClose}
      onConfirm={() =>
        change(messages.categoryDeleteFailed, async () => {
          await api.catalogue.deleteCategory({
            params: { id: category!.id },
            query: { withProducts: productCount > 0 ? 'true' : 'false' },
          });
          return {
            title: `${category!.name} deleted`,
            description:
              productCount > 0
                ? `${formatCount(productCount)} products went with it.`
                : 'There were no products in it.',
          };
        })
      }
    />
  );
}
