/** The id of the element beside the form that holds the map on wide screens. */
export const PREVIEW_CONTAINER_ID = 'beside-form'
