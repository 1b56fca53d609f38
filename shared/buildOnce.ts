/** Builds a value when it is first needed, such as a schema that many isolates never use. */
export const buildOnce = <Value>(build: () => Value): (() => Value) => {
  let built: { value: Value } | undefined
  return () => {
    built ??= { value: build() }
    return built.value
  }
}
