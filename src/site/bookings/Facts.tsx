import type { ReactNode } from 'react'

export type Fact = readonly [label: string, value: ReactNode]

/** What is known of a booking, in pairs; what is not known is not named. */
export const Facts = ({ facts, className }: { facts: readonly Fact[]; className?: string }) => (
  <dl className={className}>
    {facts
      .filter(([, value]) => value)
      .map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
