import { Fragment } from 'react'

/** Renders facts on one line, each with its own text direction. */
export const DotSeparatedList = ({ parts }: { parts: readonly string[] }) =>
  parts.map((part, index) => (
    <Fragment key={index}>
      {index > 0 && ' · '}
      <bdi>{part}</bdi>
    </Fragment>
  ))
