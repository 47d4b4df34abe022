// The cli step: see DESIGN's straight line. Filled in by the command modules.
export {};
