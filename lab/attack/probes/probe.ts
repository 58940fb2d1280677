import type { ProbeContext } from './probeContext'

/**
 * Kinds of vulnerabilities that once existed. Each has its probes, so that the next one of that
 * kind is found here.
 */
export const PROBE_FAMILIES = [
  'identity claims',
  'reads after a role ends',
  'rates',
  'files',
  'words',
  'money',
  'returns after a deletion',
  'ownership',
  'farming',
  'sessions',
  'demo mode',
  'repeated fields',
  'public reads',
  'addresses',
  'messages',
  'request lines',
  'origins',
] as const
type ProbeFamily = (typeof PROBE_FAMILIES)[number]

/** A targeted attack, unlike the random ones. `run` returns the problem it found, or nothing. */
export interface Probe {
  family: ProbeFamily
  /** A plain statement of the safe behavior. */
  title: string
  run(scene: ProbeContext): Promise<string | undefined>
}

/** Creates the named probes of one family. */
export const createProbes = (
  family: ProbeFamily,
  probes: Readonly<Record<string, Probe['run']>>,
): Probe[] => Object.entries(probes).map(([title, run]) => ({ family, title, run }))

/** Returns the first problem, or undefined. */
export const firstProblem = (...problems: (string | false | undefined)[]): string | undefined =>
  problems.find((one): one is string => typeof one === 'string')
