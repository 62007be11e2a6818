import { guestUsage } from '@markwright/contract/words';
import { type AccountReason, createEditor, EditorProvider, useEditorState } from '@markwright/editor';
import { artworksOf, elementIdOf } from '@markwright/scene';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { type Ref, useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Allowance, type Session, useAllowance, useSession } from '../../session.tsx';
import { useIsOnline, useIsWide } from '../../studioHost/environment.ts';
import { readToken } from '../../token.ts';
import { barLink } from '../../ui/barLink.ts';
import { HELP_HASH } from '../../ui/help.ts';
import { toast } from '../../ui/notices.ts';
import { usePageHead } from '../../ui/pageHead.ts';
import { TopBar } from '../../ui/TopBar.tsx';
import { type AccountQuestion, bannerQuestion, usageLimitQuestion } from './accountQuestions.ts';
import { readFirstComposition } from './compositions/deviceComposition.ts';
import {
  AccountDialogs,
  Canvas,
  type CompositionParts,
  ExportPanel,
  Inspector,
  LivePreview,
  PreflightCount,
  PreflightMarks,
  Status,
  useCompositionParts,
  useLaterParts,
  useTutorial,
} from './lazyParts.tsx';
import { createPorts } from './ports.ts';
import { Steps } from './Steps.tsx';
import type { TutorialStepId } from './tutorial/neededStep.ts';
import { mirrorUsage, readUsageRecord } from './usageRecord.ts';

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

  const latest = useRef({ session, allowance });
  latest.current = { session, allowance };
  const [{ editor, ports, first }] = useState(() => {
    const first = readFirstComposition(readToken() !== null, new Date());
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
      <Layout
        help={help}
        parts={parts}
        session={session}
        allowance={allowance}
        hasExported={hasExported}
        onCreateAccount={() => setQuestion(bannerQuestion)}
        onOpenList={openList}
      />
      {parts && (
        <parts.CompositionList
          isOpen={isListOpen}
          session={session}
          saving={parts}
          onClose={() => setIsListOpen(false)}
        />
      )}
      <AccountDialogs
        question={question}
        plan={session.user?.subscriptionPlan}
        onClose={() => setQuestion(undefined)}
      />
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
    </EditorProvider>
  );
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
  const visit = useRouterState({
    select: ({ location }) => (location.hash === HELP_HASH ? (location.state.__TSR_key ?? HELP_HASH) : undefined),
  });
  useEffect(() => {
    if (visit) askNow();
  }, [visit]);
  return { Tutorial, requests, ask, step, setStep, stage, setStage, page, button };
}

interface LayoutProps {
  readonly help: Omit<ReturnType<typeof useHelp>, 'Tutorial'>;
  readonly session: Session;
  readonly allowance: Allowance;
  readonly parts: CompositionParts | undefined;
  readonly hasExported: boolean;
  onCreateAccount(): void;
  onOpenList(): void;
}

/**
 * Wide: steps, stage, inspector side by side in one screen. Narrow: the stage stays on top, the steps fold below it.
 */
function Layout({ help, parts, session, allowance, hasExported, onCreateAccount, onOpenList }: LayoutProps) {
  const isWide = useIsWide();
  const bar = (
    <>
      <TopBar
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
          <div className="h-10 min-w-0 flex-1">
            {parts && <parts.CompositionBar autosave={parts.autosave} className="h-10" />}
          </div>
          <CompositionListButton onClick={onOpenList} />
        </section>
      )}
      {parts && <parts.ChangedElsewhere autosave={parts.autosave} />}
      <Notices session={session} allowance={allowance} onCreateAccount={onCreateAccount} />
    </>
  );
  if (isWide) {
    return (
      <div ref={help.page} className="grid h-dvh min-h-[560px] grid-rows-[auto_minmax(0,1fr)]">
        <div>{bar}</div>
        <main className="grid min-h-0 grid-cols-[340px_minmax(0,1fr)_320px]">
          {/* Labels that only are read aloud are placed by the nearest `relative`: without one they would make the
              whole page as long as this column. */}
          <div className="relative flex min-h-0 flex-col overflow-y-auto border-line border-r bg-paper [scrollbar-width:thin]">
            <Mission />
            <Steps isSignedIn={session.user !== undefined} tutorialStep={help.step} hasExported={hasExported} />
            <Credit />
          </div>
          <div className="grid min-h-0 min-w-0 grid-rows-[minmax(0,1fr)_auto]">
            <div ref={help.setStage} data-stage="" className="relative min-h-0">
              <Canvas className="h-full" Marks={PreflightMarks} />
              <LivePreview className="absolute bottom-4 left-10" />
            </div>
            <Status allowance={allowance}>
              <PreflightCount />
            </Status>
          </div>
          <div className="flex min-h-0 flex-col border-line border-l bg-paper">
            <Inspector className="relative min-h-0 flex-1 overflow-y-auto" />
            <ExportPanel allowance={allowance} hasExported={hasExported} className="border-line border-t" />
          </div>
        </main>
      </div>
    );
  }
  return (
    <div ref={help.page} className="flex min-h-dvh flex-col in-data-tutorial:pb-[60dvh]">
      {bar}
      <main className="flex-1">
        <div className="top-14 z-20 border-line border-b bg-bone not-in-data-tutorial:[@media(min-height:600px)]:sticky">
          <div ref={help.setStage} data-stage="" className="relative h-[44dvh] min-h-[260px]">
            <Canvas className="h-full" Marks={PreflightMarks} />
          </div>
          <Status>
            <PreflightCount />
          </Status>
        </div>
        <div className="bg-paper">
          <Mission />
          <Steps isFolding isSignedIn={session.user !== undefined} tutorialStep={help.step} hasExported={hasExported} />
          <ExportPanel allowance={allowance} hasExported={hasExported} className="border-line border-t" />
          <LivePreview className="mx-4 mb-4 w-fit" />
        </div>
      </main>
      <Credit />
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

function Mission() {
  return (
    <div className="px-4 pt-5 pb-3">
      <h1 className="text-lg">From any picture to a file your machine can make.</h1>
      <p className="mt-1 text-graphite text-sm">At its true size, on the real blank, without a single repair.</p>
    </div>
  );
}

function Credit() {
  return (
    <footer className="mt-auto px-4 py-4 text-graphite text-xs">Made by Markwright, for people who make things.</footer>
  );
}

/** Banners: no connection, and how many free mockups are used. */
function Notices({
  session,
  allowance,
  onCreateAccount,
}: Pick<LayoutProps, 'session' | 'allowance' | 'onCreateAccount'>) {
  const isOnline = useIsOnline();
  const mockupsGenerated = allowance.guest?.mockupsGenerated ?? readUsageRecord()?.mockupsGenerated;
  return (
    <>
      {!isOnline && (
        <p role="status" className="border-line border-b bg-ink px-4 py-2 text-bone text-sm lg:px-6">
          You are offline. Your work is kept on this device; tracing and exports wait for the connection.
        </p>
      )}
      {session.status === 'guest' && mockupsGenerated !== undefined && (
        <aside
          aria-label="Free mockups"
          className="flex flex-wrap items-baseline gap-x-2 border-line border-b px-4 py-1.5 text-graphite text-sm lg:px-6"
        >
          <p>{guestUsage(mockupsGenerated)}</p>
          <button
            type="button"
            onClick={onCreateAccount}
            className="min-h-6 rounded-control text-accent underline underline-offset-4"
          >
            Create an account for unlimited mockups
          </button>
        </aside>
      )}
    </>
  );
}
