/** The id of the element beside the form that holds the map on wide screens. */
export const PREVIEW_CONTAINER_ID = 'beside-form'
/** From this width on there is space beside the form; the style sheets use the same value. */
export const WIDE_SCREEN_QUERY = '(min-width: 900px)'
