import {
  type AccountReason,
  createEditor,
  EditorProvider,
  type ElementsToSave,
  useEditorState,
} from '@markwright/editor';
import { artworksOf, elementIdOf, emptyComposition } from '@markwright/scene';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type Ref, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link, useAddress } from '../../navigation.tsx';
import { type Allowance, type Session, useAllowance, useSession } from '../../session.tsx';
import { useIsOnline, useIsWide } from '../../studioHost/environment.ts';
import { readToken } from '../../token.ts';
import { barLink } from '../../ui/barLink.ts';
import { HELP_HASH } from '../../ui/help.ts';
import { toast } from '../../ui/notices.ts';
import { usePageHead } from '../../ui/pageHead.ts';
import { TopBar } from '../../ui/TopBar.tsx';
import { type AccountQuestion, bannerQuestion, usageLimitQuestion } from './accountQuestions.ts';
import { blankCopy, newCompositionId } from './compositions/blankCopy.ts';
import { storedReader } from './compositions/storedComposition.ts';
import { DropAnywhere } from './DropAnywhere.tsx';
import {
  AccountDialogs,
  type CompositionParts,
  useCompositionParts,
  useLaterParts,
  useTutorial,
} from './lazyParts.tsx';
import { LibraryProvider } from './library/Library.tsx';
import { OptIn, OwnBlanksProvider } from './ownBlanks/OwnBlanks.tsx';
import { createPorts } from './ports.ts';
import { NarrowRoom, type RoomProps, WideRoom } from './Room.tsx';
import type { TutorialStepId } from './tutorial/neededStep.ts';
import { mirrorUsage } from './usageRecord.ts';
import { PictureIntakeProvider } from './waitingPicture.tsx';

export function StudioPage() {
  usePageHead({
    title: 'Studio | Markwright',
    description: 'Trace a picture, place it with text on a real blank, export it for the laser or the UV printer.',
  });
  const queryClient = useQueryClient();
  const session = useSession();
  const allowance = useAllowance(session);
  const [question, setQuestion] = useState<AccountQuestion>();
  const [hasExported, setHasExported] = useState(false);
  const [isLibraryOpen, setIsLibraryOpen] = useState(false);
  const [optIn, setOptIn] = useState<{ answer(isOn: boolean): void }>();

  const latest = useRef({ session, allowance });
  latest.current = { session, allowance };
  const [{ editor, ports, first }] = useState(() => {
    const now = new Date();
    const first =
      storedReader()?.(readToken() !== null, now) ?? blankCopy(newCompositionId(), null, now, emptyComposition);
    const editor = createEditor({ composition: first.composition });
    const ports = createPorts({
      queryClient,
      account: () => latest.current,
      requireAccount: (reason, message) => setQuestion(toQuestion(reason, message, latest.current.session)),
      onDesignGone(designId) {
        const goneArtworks = artworksOf(editor.getState().composition).filter(
          (artwork) => artwork.designId === designId,
        );
        const commands = goneArtworks.map((artwork) => ({ type: 'remove', elementId: elementIdOf(artwork) }) as const);
        editor.dispatch({ type: 'several', commands });
        toast({
          title: 'Your picture is no longer here',
          description: 'The rest of your work was restored. Please upload the picture again.',
        });
      },
      onExported: () => setHasExported(true),
      onBlankSent(blankId, productId) {
        const { composition, assets } = editor.getState();
        if (composition.productId !== blankId) return;
        const { machineArea: area, productAngleDeg: angleDeg } = composition;
        const { product } = assets;
        // It is the same blank: what was arranged on it stays.
        const commands = [
          { type: 'setProduct', productId } as const,
          { type: 'rotateProduct', angleDeg } as const,
          ...(area && product
            ? [
                {
                  type: 'setMachineArea',
                  area,
                  printArea: product.printArea,
                  pictureAspect: product.pictureAspect,
                } as const,
              ]
            : []),
        ];
        editor.dispatch({ type: 'several', commands });
      },
      saveElements(elements) {
        if (latest.current.session.status === 'guest') return setIsLibraryOpen(true);
        void saveToLibrary(queryClient, elements);
      },
      askOptIn: () =>
        new Promise((resolve) => {
          const answer = (isOn: boolean) => {
            resolve(isOn);
            setOptIn(undefined);
          };
          setOptIn({ answer });
        }),
    });
    return { editor, ports, first };
  });
  const { parts, load } = useCompositionParts(editor, first);
  useOwner(parts, session);
  const [isListOpen, setIsListOpen] = useState(false);
  const openList = () => {
    load().then(
      () => setIsListOpen(true),
      () => toast({ title: 'My designs did not load', description: 'Check the connection and try again.' }),
    );
  };
  useGuestMirror(allowance);
  useLaterParts();
  const { Tutorial, ...help } = useHelp();

  return (
    <EditorProvider editor={editor} ports={ports}>
      <MachineAccent />
      <PictureIntakeProvider>
        <OwnBlanksProvider isSignedIn={session.user !== undefined}>
          <LibraryProvider
            isOpen={isLibraryOpen}
            session={session}
            onOpen={() => setIsLibraryOpen(true)}
            onClose={() => setIsLibraryOpen(false)}
          >
            <Layout
              help={help}
              parts={parts}
              session={session}
              allowance={allowance}
              hasExported={hasExported}
              onCreateAccount={() => setQuestion(bannerQuestion)}
              onOpenList={openList}
            />
          </LibraryProvider>
        </OwnBlanksProvider>
        <DropAnywhere />
        {Tutorial && (
          <Tutorial
            requests={help.requests}
            userId={session.user?.id}
            page={help.page}
            stage={help.stage}
            onAsk={help.ask}
            onStep={help.setStep}
          />
        )}
      </PictureIntakeProvider>
      {parts && (
        <parts.CompositionList
          isOpen={isListOpen}
          session={session}
          saving={parts}
          onClose={() => setIsListOpen(false)}
        />
      )}
      {optIn && <OptIn onAnswer={optIn.answer} />}
      <AccountDialogs
        question={question}
        plan={session.user?.subscriptionPlan}
        onClose={() => setQuestion(undefined)}
      />
    </EditorProvider>
  );
}

/** Fetches what saves elements with the first ones. */
async function saveToLibrary(queryClient: QueryClient, elements: ElementsToSave): Promise<void> {
  try {
    const { saveElements } = await import('./library/saveElements.ts');
    await saveElements(queryClient, elements);
  } catch {
    toast({ title: 'Not saved to My library', description: 'Check the connection and try again.' });
  }
}

function toQuestion(
  reason: AccountReason,
  message: { title: string; description: string },
  session: Session,
): AccountQuestion {
  return reason === 'mockups' && session.status !== 'user' ? usageLimitQuestion : { reason, ...message };
}

/** Sets the accent color of the document to that of the machine. */
function MachineAccent() {
  const machine = useEditorState((state) => state.composition.machine);
  useEffect(() => {
    document.documentElement.dataset.machine = machine;
    return () => {
      delete document.documentElement.dataset.machine;
    };
  }, [machine]);
  return null;
}

/**
 * Sets the owner of the compositions in autosave. Waits while there is a token whose account could not be read.
 */
function useOwner(parts: CompositionParts | undefined, { status, user }: Session): void {
  useEffect(() => {
    if (user) parts?.autosave.setOwner(user.id);
    else if (status === 'guest' && readToken() === null) parts?.autosave.setOwner(null);
  }, [parts, status, user]);
}

function useGuestMirror({ guest }: Allowance): void {
  useEffect(() => {
    if (guest) mirrorUsage(guest, new Date());
  }, [guest]);
}

/** Starts the tutorial on Help, also while its code is still loading. Focuses Help again when the tutorial ends. */
function useHelp() {
  const { Tutorial, load } = useTutorial();
  const [requests, setRequests] = useState(0);
  const [step, setStep] = useState<TutorialStepId>();
  const [stage, setStage] = useState<HTMLElement | null>(null);
  const page = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  const isRunning = step !== undefined;
  const wasRunning = useRef(false);
  useEffect(() => {
    if (wasRunning.current && !isRunning) button.current?.focus();
    wasRunning.current = isRunning;
    document.documentElement.toggleAttribute('data-tutorial', isRunning);
    return () => document.documentElement.removeAttribute('data-tutorial');
  }, [isRunning]);

  function ask(): void {
    load().then(
      () => setRequests((count) => count + 1),
      () => toast({ title: 'The tutorial did not load', description: 'Check the connection and try again.' }),
    );
  }

  const askNow = useEffectEvent(ask);
  // Each visit to the address asks again.
  const { hash, state } = useAddress();
  const visit = hash === `#${HELP_HASH}` ? (state.key ?? HELP_HASH) : undefined;
  useEffect(() => {
    if (visit) askNow();
  }, [visit]);
  return { Tutorial, requests, ask, step, setStep, stage, setStage, page, button };
}

interface LayoutProps extends RoomProps {
  readonly help: Omit<ReturnType<typeof useHelp>, 'Tutorial'>;
  readonly parts: CompositionParts | undefined;
  onOpenList(): void;
}

/** The bar, what it has to say, and the room below it. */
function Layout({ parts, onOpenList, ...room }: LayoutProps) {
  const { help, session } = room;
  const isWide = useIsWide();
  const Room = isWide ? WideRoom : NarrowRoom;
  return (
    <div ref={help.page} className="grid h-dvh min-h-[480px] grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]">
      <div>
        <TopBar
          isCompact
          session={session}
          signIn="Login / Sign Up"
          title={
            isWide &&
            parts && <parts.CompositionBar autosave={parts.autosave} className="ml-2 h-9 border-line border-l pl-2" />
          }
        >
          {isWide && <CompositionListButton onClick={onOpenList} />}
          <Link to="/" className={barLink}>
            Home
          </Link>
          <HelpButton ref={help.button} onClick={help.ask} />
        </TopBar>
        {!isWide && (
          <section aria-label="This design" className="flex items-center gap-1 border-line border-b px-2">
            <div className="h-10 min-w-0 flex-1 max-sm:low:h-9">
              {parts && <parts.CompositionBar autosave={parts.autosave} className="h-full" />}
            </div>
            <CompositionListButton onClick={onOpenList} />
          </section>
        )}
        {parts && <parts.ChangedElsewhere autosave={parts.autosave} />}
        <Offline />
      </div>
      <Room {...room} />
    </div>
  );
}

function HelpButton(props: { ref: Ref<HTMLButtonElement>; onClick(): void }) {
  return (
    <button type="button" className={barLink} {...props}>
      Help
    </button>
  );
}

function CompositionListButton(props: { onClick(): void }) {
  return (
    <button type="button" className={barLink} {...props}>
      My designs
    </button>
  );
}

function Offline() {
  const isOnline = useIsOnline();
  if (isOnline) return null;
  return (
    <p role="status" className="border-line border-b bg-ink px-4 py-2 text-bone text-sm lg:px-6">
      You are offline. Your work is kept on this device; tracing and exports wait for the connection.
    </p>
  );
}
