// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Data fee of a transaction on an OP Stack chain, with the interface of the predeployed `GasPriceOracle` that quotes
/// use and the formula of the Ecotone upgrade with constant prices. Public networks have the full contract.
contract GasPriceOracle {
    uint256 public constant l1BaseFee = 5 gwei;
    uint256 public constant baseFeeScalar = 2_269;
    /// bytes of a signature, which the given data lacks
    uint256 private constant signatureBytes = 68;

    function getL1Fee(bytes calldata data) external pure returns (uint256) {
        uint256 gasUsed = signatureBytes * 16;
        for (uint256 i; i < data.length; i++) gasUsed += data[i] == 0 ? 4 : 16;
        return (gasUsed * baseFeeScalar * l1BaseFee) / 1e6;
    }
}
