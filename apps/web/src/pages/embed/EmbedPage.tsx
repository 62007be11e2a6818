import { lazyPart, Tabs } from '@markwright/controls';
import { Suspense, useState } from 'react';
import { type Session, useSession } from '../../session.tsx';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { Page } from '../../ui/Page.tsx';
import { usePageHead } from '../../ui/pageHead.ts';
import { defaultOptions, type EmbedOptions, frameCode, optionProblems, scriptCode } from './code.ts';
import { Events, FrameOptions, Methods, ScriptOptions } from './lists.tsx';
import { OptionsForm } from './OptionsForm.tsx';
import { Preview } from './Preview.tsx';

/** Loaded after the rest: the guides stand far down the page and are much of its text. */
const Guides = lazyPart(() => import('./Guides.tsx').then((part) => ({ default: part.Guides })));

type Kind = 'frame' | 'script';

export function EmbedPage() {
  usePageHead({
    title: 'Embed Widget | Markwright',
    description:
      'Put the design widget into your shop’s page: embed code for your theme and machine, a live preview, and what to do on Shopify, Etsy, WordPress, Wix and Squarespace.',
    isShared: true,
  });
  const session = useSession();
  return (
    <Page session={session}>
      <Content session={session} />
    </Page>
  );
}

function Content({ session }: { session: Session }) {
  const [kind, setKind] = useState<Kind>('script');
  const [entry, setEntry] = useState<EmbedOptions>(defaultOptions);
  const problems = {
    container: optionProblems.container(entry.container),
    width: optionProblems.width(entry.width),
    height: optionProblems.height(entry.height, kind === 'script'),
  };
  // The field shows why an option is invalid. The code uses the default value instead.
  const options: EmbedOptions = {
    ...entry,
    container: problems.container ? defaultOptions.container : entry.container,
    width: problems.width ? defaultOptions.width : entry.width,
    height: problems.height ? defaultOptions.height : entry.height,
  };
  const { origin } = location;

  return (
    <main className="mx-auto w-full max-w-[1280px] flex-1 px-5 pt-10 pb-24 lg:px-10 lg:pt-14" data-machine={entry.mode}>
      <h1 className="max-w-[22ch] text-2xl sm:text-4xl">Let them design it on your own page.</h1>
      <p className="mt-4 max-w-[66ch] text-graphite text-lg">
        Shoppers put a name or a picture on your product at its real size, and stay in your shop. Your cart gets a
        picture, a price and a design number; whoever makes the order gets the production file.
      </p>

      <div className="mt-10 grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-10 lg:grid-cols-[300px_minmax(0,1fr)]">
        <OptionsForm session={session} kind={kind} options={entry} problems={problems} onChange={setEntry} />
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-10">
          <section aria-labelledby="embed-code">
            <h2 id="embed-code" className="text-xl">
              Your code
            </h2>
            <Tabs<Kind>
              label="Kind of embed code"
              value={kind}
              onChange={setKind}
              className="mt-3"
              tabs={[
                {
                  value: 'frame',
                  label: 'iFrame',
                  content: (
                    <>
                      <p className="mb-3 max-w-[66ch] text-graphite">
                        The simplest way, also where a site builder allows no scripts. Your page gets no events:
                        customers order in the widget itself.
                      </p>
                      <CodeBlock name="iFrame embed code" code={frameCode(origin, options)} />
                    </>
                  ),
                },
                {
                  value: 'script',
                  label: 'JavaScript',
                  content: (
                    <>
                      <p className="mb-3 max-w-[66ch] text-graphite">
                        For a shop with its own cart: your page gets an event for each item that is added, and can open
                        a saved design again.
                      </p>
                      <CodeBlock name="JavaScript embed code" code={scriptCode(origin, options)} />
                    </>
                  ),
                },
              ]}
            />
          </section>
          <Preview options={options} />
        </div>
      </div>

      <section aria-labelledby="embed-options" className="mt-20">
        <h2 id="embed-options" className="text-xl sm:text-2xl">
          {kind === 'frame' ? 'iFrame options' : 'JavaScript options'}
        </h2>
        {kind === 'frame' ? (
          <FrameOptions />
        ) : (
          <>
            <ScriptOptions />
            <div className="mt-12 grid gap-x-10 gap-y-12 lg:grid-cols-2">
              <Events />
              <Methods />
            </div>
          </>
        )}
      </section>

      <Suspense fallback={<div className="mt-20 h-[720px]" />}>
        <Guides options={options} />
      </Suspense>
    </main>
  );
}
