import { useState } from 'preact/hooks'

/** Attempts of which the newest counts: a wallet may respond long after its attempt was abandoned. */
export const useAttempts = () => useState(createAttempts)[0]

const createAttempts = () => {
  let newest = 0
  const end = (): void => {
    newest += 1
  }
  /** Ends the attempt before. @returns whether this one is still the newest */
  const begin = (): (() => boolean) => {
    end()
    const own = newest
    return () => own === newest
  }
  return { begin, end }
}
