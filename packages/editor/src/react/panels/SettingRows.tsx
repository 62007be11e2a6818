/** Rows of the trace settings, each for one setting: it shows the value, and changes and stores it. */
import { Row, SegmentedControl, Select, SliderRow, Switch } from '@markwright/controls';
import type { ComponentProps } from 'react';
import { shownSettings, type TraceSettings } from '../../core/trace/traceSettings.ts';
import { useDesignFlow, useDesignState } from '../EditorProvider.tsx';

/** The names of the settings whose values are of one type. */
type NamesOf<V> = {
  [K in keyof TraceSettings]-?: Exclude<TraceSettings[K], undefined> extends V ? K : never;
}[keyof TraceSettings];

/** The names of the settings that always have one of some words. */
type NamesOfChoices = {
  [K in keyof TraceSettings]-?: TraceSettings[K] extends string ? K : never;
}[keyof TraceSettings];

/** Reads one setting as the panel shows it. `move` changes it, `keep` stores it, `change` does both. */
export function useSetting<K extends keyof TraceSettings>(name: K) {
  const designs = useDesignFlow();
  const value: TraceSettings[K] = useDesignState(({ settings }) => ({ ...settings, ...shownSettings(settings) })[name]);
  const move = (next: TraceSettings[K]) => designs.changeSettings({ [name]: next });
  const keep = () => designs.keepSettings();
  const change = (next: TraceSettings[K]) => {
    move(next);
    keep();
  };
  return { value, move, keep, change };
}

interface SettingSliderProps
  extends Omit<ComponentProps<typeof SliderRow>, 'value' | 'valueText' | 'onMove' | 'onKeep'> {
  readonly setting: NamesOf<number>;
  /** The place of the slider while the setting is automatic. */
  readonly automaticValue?: number;
  /** Returns the value as a screen reader says it. */
  sayValue?(value: number): string;
}

export function SettingSlider({ setting, automaticValue = 0, sayValue, ...rest }: SettingSliderProps) {
  const { value = automaticValue, move, keep } = useSetting(setting);
  return (
    <SliderRow {...rest} value={value} {...(sayValue && { valueText: sayValue(value) })} onMove={move} onKeep={keep} />
  );
}

interface ChoiceProps<K extends NamesOfChoices> {
  readonly setting: K;
  readonly label: string;
  /** The name of the control, where it differs from the label. */
  readonly name?: string;
  readonly options: readonly { readonly value: TraceSettings[K]; readonly label: string }[];
  /** The option that a value without one of its own has the effect of. */
  readonly sameAs?: { readonly [value in TraceSettings[K]]?: TraceSettings[K] };
}

/** A setting whose choices are all visible. */
export function SettingSegments<K extends NamesOfChoices>({
  setting,
  label,
  name = label,
  sameAs,
  ...rest
}: ChoiceProps<K>) {
  const { value, change } = useSetting(setting);
  return (
    <Row label={label}>
      <SegmentedControl<TraceSettings[K]>
        label={name}
        value={sameAs?.[value] ?? value}
        onChange={change}
        {...rest}
        className="flex-1"
      />
    </Row>
  );
}

export function SettingSelect<K extends NamesOfChoices>({ setting, label, name = label, ...rest }: ChoiceProps<K>) {
  const { value, change } = useSetting(setting);
  return (
    <Row label={label}>
      <Select<TraceSettings[K]> label={name} value={value} onChange={change} {...rest} className="flex-1" />
    </Row>
  );
}

interface SettingSwitchProps {
  readonly setting: NamesOf<boolean>;
  readonly label: string;
  readonly hint: string;
  /** True for a setting that was added later: switched off, it is absent, as in the traces from before. */
  readonly isAbsentWhenOff?: boolean;
}

export function SettingSwitch({ setting, label, hint, isAbsentWhenOff = false, ...rest }: SettingSwitchProps) {
  const { value = false, change } = useSetting(setting);
  const setOn = (isOn: boolean) => change(isOn || (isAbsentWhenOff ? undefined : false));
  return (
    <Row label={label}>
      <Switch label={label} checked={value} onChange={setOn} {...rest} />
      <span className="text-xs text-graphite">{hint}</span>
    </Row>
  );
}
