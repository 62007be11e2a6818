/** Changes a product of the company from the studio, by the form that its profile has. */
import type { CompanyProduct } from '@markwright/contract/schemas';
import { messages } from '@markwright/contract/words';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api.ts';
import { ProductDialog } from '../../../products/ProductDialog.tsx';
import { refreshCompany } from '../../../products/shownProducts.ts';
import { useAttempt } from '../../../ui/useAttempt.ts';

interface Props {
  readonly isOpen: boolean;
  readonly product: CompanyProduct;
  onClose(): void;
}

export function CompanyBlank({ isOpen, product, onClose }: Props) {
  const client = useQueryClient();
  const attempt = useAttempt();
  return (
    <ProductDialog
      isOpen={isOpen}
      product={product}
      names={{ categories: [], subCategories: [] }}
      onClose={onClose}
      onSubmit={async (entry, file) => {
        const isChanged = await attempt(messages.updateFailed, async () => {
          const { name } = await api.company.editProduct({ params: { id: product.productId }, body: entry, file });
          return { title: `${name} saved`, description: 'The stage shows it as it is now.' };
        });
        await refreshCompany(client);
        return isChanged;
      }}
    />
  );
}
