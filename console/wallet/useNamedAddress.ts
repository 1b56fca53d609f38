import { useEffect, useState } from 'preact/hooks'
import type { Network } from '../networks/NetworksProvider.tsx'
import type { Connection } from './connection/openConnection.ts'
import { hasNames, isName } from './names/nameRules.ts'

/** State of the look-up of a name; `none`: the text is not a name, or the network has none. */
export type NamedAddress =
  | { state: 'none' | 'unconnected' | 'loading' | 'missing' | 'unavailable' }
  /** lower case */
  | { state: 'found'; address: string }

/** Delay after the last typed letter, milliseconds. */
const settleMs = 300

/** The address of a typed ENS name, by the connected wallet. */
export const useNamedAddress = (
  { chainId }: Pick<Network, 'chainId'>,
  connection: Connection | null,
  typed: string,
): NamedAddress => {
  const name = hasNames(chainId) && isName(typed.trim()) ? typed.trim() : ''
  const [known, setKnown] = useState<{ subject: string; named: NamedAddress } | null>(null)
  const provider = connection?.chainId === chainId ? connection.choice.provider : undefined
  const subject = name === '' ? '' : `${chainId} ${name}`

  useEffect(() => {
    if (subject === '' || !provider) return
    let isCurrent = true
    const take = (named: NamedAddress) => isCurrent && setKnown({ subject, named })
    const timer = setTimeout(() => {
      // large tables of letters, loaded for names only
      import('./names/resolveName.ts')
        .then(({ resolveName }) => resolveName(provider, name))
        .then(
          (address) => take(address === null ? { state: 'missing' } : { state: 'found', address }),
          () => take({ state: 'unavailable' }),
        )
    }, settleMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [subject, name, provider])

  if (subject === '') return { state: 'none' }
  if (!provider) return { state: 'unconnected' }
  return known?.subject === subject ? known.named : { state: 'loading' }
}
