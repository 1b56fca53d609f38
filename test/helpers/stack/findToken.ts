import type { StackInfo } from '#tools/stack/stackInfo.ts'

/** A token of a stack. @throws Error for an unknown symbol */
export const findToken = ({ tokens }: Pick<StackInfo, 'tokens'>, symbol: string): StackInfo['tokens'][string] => {
  const found = tokens[symbol]
  if (!found) throw new Error(`no token ${symbol}`)
  return found
}
