import { type EffectCallback, useEffect } from 'preact/hooks'

/**
 * Runs an effect after the first render, and again when one of `values` changes. Unlike with `useEffect`, the effect
 * may read further state, as of the render in which the values changed, without running again when only that changes.
 * @param effect may return its clean-up
 */
export const useOnChange = (effect: EffectCallback, values: readonly unknown[]): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the purpose of this hook
  useEffect(effect, values)
}
