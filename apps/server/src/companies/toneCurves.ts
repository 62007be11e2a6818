/** Tone curves of a shop: what each material shows of what is burnt, measured on a test card. */
import { type CallReplyInput, MATERIALS, type MaterialToneCurve, type toneCurveCalls } from '@markwright/contract';
import { type DitherMethod, engravingMaterial, engravingSize, type ToneCurve } from '@markwright/engraving';
import { and, eq } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import type { Actor, UserActor } from '../platform/mount.ts';
import { callerOf } from '../platform/ownership.ts';
import { CACHE, recordUse } from '../platform/storage.ts';
import { inCompany } from '../platform/tenancy.ts';
import { findCompany, getCompany } from './companies.ts';
import { companyToneCurves } from './tables.ts';

type Material = (typeof MATERIALS)[number];

/** Lists the curve of every material: the company's own, or else a typical one. */
export async function listToneCurves(context: Context, actor: UserActor): Promise<MaterialToneCurve[]> {
  const company = await findCompany(context, actor);
  const rows = company
    ? await inCompany(context.db, company.id, (tx) =>
        tx.select().from(companyToneCurves).where(eq(companyToneCurves.companyId, company.id)),
      )
    : [];
  const curves = new Map(rows.map(({ material, curve }) => [material, curve]));
  return MATERIALS.map((material) => toToneCurve(material, curves.get(material)));
}

/** Stores what the company measured on a material. */
export async function changeToneCurve(
  context: Context,
  actor: UserActor,
  material: Material,
  curve: ToneCurve,
): Promise<MaterialToneCurve> {
  const { id: companyId } = await getCompany(context, actor);
  const changedAt = context.now();
  await inCompany(context.db, companyId, (tx) =>
    tx
      .insert(companyToneCurves)
      .values({ companyId, material, curve, changedAt })
      .onConflictDoUpdate({
        target: [companyToneCurves.companyId, companyToneCurves.material],
        set: { curve, changedAt },
      }),
  );
  return toToneCurve(material, curve);
}

/** Deletes what the company measured on a material, and returns the typical curve. */
export async function resetToneCurve(
  context: Context,
  actor: UserActor,
  material: Material,
): Promise<MaterialToneCurve> {
  const company = await findCompany(context, actor);
  if (company) {
    await inCompany(context.db, company.id, (tx) => tx.delete(companyToneCurves).where(isOf(company.id, material)));
  }
  return toToneCurve(material, undefined);
}

/** Returns the curve that the actor's company measured on a material; undefined where the typical one counts. */
export async function findToneCurve(
  context: Context,
  actor: Actor,
  material: string | undefined,
): Promise<ToneCurve | undefined> {
  if (actor.kind === 'guest' || material === undefined) return undefined;
  const company = await findCompany(context, actor);
  if (!company) return undefined;
  const [row] = await inCompany(context.db, company.id, (tx) =>
    tx.select({ curve: companyToneCurves.curve }).from(companyToneCurves).where(isOf(company.id, material)),
  );
  return row?.curve;
}

/** Makes a test card's file. Everybody's is the same, and is used again. */
export async function makeTestCard(
  context: Context,
  actor: UserActor,
  { intervalMm, method }: { readonly intervalMm: number; readonly method: DitherMethod },
  signal: AbortSignal,
): Promise<CallReplyInput<typeof toneCurveCalls.card>> {
  const { png, widthMm, heightMm } = await context.media.run(
    'testCard',
    { intervalMm, method },
    { caller: callerOf(actor), signal },
  );
  const filename = `Test_Card_${intervalMm}mm_${method}.png`;
  const key = `exports/test-card-${intervalMm}-${method}.png`;
  if (await context.files.has(key)) await recordUse(context.db, key, context.now());
  else await context.files.put(key, png, 'image/png', CACHE);
  const { dpi, widthPx, heightPx } = engravingSize(widthMm, heightMm, intervalMm);
  return { url: context.urls.sign(key), filename, dpi, widthPx, heightPx, widthMm, heightMm };
}

const isOf = (companyId: string, material: string) =>
  and(eq(companyToneCurves.companyId, companyId), eq(companyToneCurves.material, material));

function toToneCurve(material: Material, ownCurve: ToneCurve | undefined): MaterialToneCurve {
  const { curve, marksLight, intervalMm } = engravingMaterial(material);
  return { material, curve: ownCurve ?? curve, isTypical: ownCurve === undefined, marksLight, intervalMm };
}
