import { Component, type ReactNode } from 'react';

interface BoundaryProps {
  what: string;
  children: ReactNode;
}

/** A component that fails to render must not take down the page. */
export class Boundary extends Component<BoundaryProps, { problem: string | undefined }> {
  override state = { problem: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }

  override render() {
    if (this.state.problem === undefined) return this.props.children;
    return (
      <p className="unsupported" role="alert">
        The page cannot draw this {this.props.what}: {this.state.problem}
      </p>
    );
  }
}
