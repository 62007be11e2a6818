/** The tiers of the vectorizer: which one traces, and the administrator's switch. */
import type { VectorizerMode, VectorizerStatus } from '@markwright/contract';
import { eq } from 'drizzle-orm';
import { writeAudit } from '../platform/audit.ts';
import type { Context } from '../platform/context.ts';
import { AppError } from '../platform/errors.ts';
import type { UserActor } from '../platform/mount.ts';
import { settings } from './tables.ts';

const isMode = eq(settings.name, 'vectorizerMode');

/** Returns the current tier. It is the paid one only while its keys are set, whatever the switch says. */
export async function findVectorizerMode(context: Context): Promise<VectorizerMode> {
  if (!context.vectorizer) return 'free';
  const [row] = await context.db.select().from(settings).where(isMode);
  return row?.value === 'paid' ? 'paid' : 'free';
}

/** Returns the tier and its state for the administrator, without the keys. */
export async function readVectorizerStatus(context: Context): Promise<VectorizerStatus> {
  const currentMode = await findVectorizerMode(context);
  const service = currentMode === 'paid' ? context.vectorizer : undefined;
  return {
    currentMode,
    rateLimitMs: context.vectorizerPaceMs[currentMode],
    credentials: { freeAvailable: true, paidAvailable: context.vectorizer !== undefined },
    system: {
      engine: service ? service.host : 'Built in',
      quality: service ? 'Production for files, preview on screen' : 'Fine curves for files, as chosen on screen',
    },
  };
}

/**
 * Switches to the other tier and records it in the audit trail. Two simultaneous calls switch twice, one after the
 * other. Throws conflict when the keys of the paid tier are not set.
 */
export async function toggleVectorizer(context: Context, actor: UserActor): Promise<{ message: string }> {
  const now = context.now();
  const to = await context.db.transaction(async (tx) => {
    await tx.insert(settings).values({ name: 'vectorizerMode', value: 'free', updatedAt: now }).onConflictDoNothing();
    const [row] = await tx.select().from(settings).where(isMode).for('update');
    const from: VectorizerMode = context.vectorizer && row?.value === 'paid' ? 'paid' : 'free';
    const next: VectorizerMode = from === 'paid' ? 'free' : 'paid';
    if (next === 'paid' && !context.vectorizer) {
      throw new AppError(
        'conflict',
        'The paid tier has no keys. Set VECTORIZER_API_ID and VECTORIZER_API_SECRET and start again.',
      );
    }
    await tx.update(settings).set({ value: next, updatedAt: now }).where(isMode);
    const detail = { from, to: next };
    await writeAudit(tx, actor, now, { action: 'vectorizer.toggle', subject: `${tierNames[next]} tier`, detail });
    return next;
  });
  const engine = to === 'paid' ? (context.vectorizer?.host ?? 'the service') : 'the built-in engine';
  return { message: `The ${to} tier is on: pictures are traced by ${engine}.` };
}

const tierNames = { free: 'Free', paid: 'Paid' } as const;
