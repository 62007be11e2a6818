import { Section } from '../../../ui/sections.tsx';
import { LocalMaker } from './LocalMaker.tsx';

export const MakerTab = () => (
  <Section title="Local maker" text="Your page in the search for local makers.">
    <LocalMaker />
  </Section>
);
