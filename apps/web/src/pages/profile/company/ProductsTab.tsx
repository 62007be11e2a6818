import { Section } from '../../../ui/sections.tsx';
import { ProductManagement } from './ProductManagement.tsx';

export const ProductsTab = () => (
  <Section title="Product management" text="The products that your studio shows.">
    <ProductManagement />
  </Section>
);
