import { useState } from 'preact/hooks'
import { type ApiFailure, asFailure } from '../api/ApiFailure.ts'
import type { Connection } from '../wallet/connection/openConnection.ts'
import { describeWalletFailure } from '../wallet/describeWalletFailure.ts'
import { signTypedData } from '../wallet/signTypedData.ts'
import { buildManage, type Channels, type ManageAction } from './buildMessages.ts'
import { buildStamp, type Stamp } from './buildStamp.ts'
import { formatAuthorization } from './formatAuthorization.ts'

/** State of a request that the wallet signs first. */
export type SignedState =
  | { phase: 'idle' | 'signing' | 'sending' }
  /** by the wallet or the browser */
  | { phase: 'stopped'; why: string }
  | { phase: 'refused'; failure: ApiFailure }

export type Signer = { channels: Channels; connection: Connection }

export const newStamp = (use: 'write' | 'list'): Stamp =>
  buildStamp(crypto.getRandomValues(new Uint8Array(32)), Date.now(), use)

/** Runs one signed request at a time. */
export const useSignedRequest = () => {
  const [state, setState] = useState<SignedState>({ phase: 'idle' })
  /**
   * @param sign rejects with an error of the wallet
   * @param send rejects with an ApiFailure
   */
  const run = async <Signed, Result>(
    sign: () => Promise<Signed>,
    send: (signed: Signed) => Promise<Result>,
  ): Promise<Result | undefined> => {
    setState({ phase: 'signing' })
    let signed: Signed
    try {
      signed = await sign()
    } catch (thrown) {
      setState({ phase: 'stopped', why: describeWalletFailure(thrown) })
      return undefined
    }
    setState({ phase: 'sending' })
    try {
      const result = await send(signed)
      setState({ phase: 'idle' })
      return result
    } catch (thrown) {
      setState({ phase: 'refused', failure: asFailure(thrown) })
      return undefined
    }
  }
  const stop = (why: string) => setState({ phase: 'stopped', why })
  return { state, run, stop, isBusy: state.phase === 'signing' || state.phase === 'sending' }
}

/** Signs a request about subscriptions. @returns its `Authorization` header */
export const signManage = async (
  { channels, connection }: Signer,
  action: ManageAction,
  subscription: string,
): Promise<string> => {
  const { chainId, address } = connection
  const stamp = newStamp(action === 'list' ? 'list' : 'write')
  const message = buildManage(channels, chainId, address, { action, subscription }, stamp)
  return formatAuthorization(chainId, stamp, await signTypedData(connection, message))
}
