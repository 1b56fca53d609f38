// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Gas that an Arbitrum transaction pays for its data, with the interface of Nitro's virtual `NodeInterface` that
/// quotes use and a constant price per byte. Public nodes implement it themselves.
contract NodeInterface {
    uint256 private constant l1BaseFee = 5 gwei;
    /// Ethereum's gas for a byte of compressed data
    uint256 private constant gasPerByte = 16;

    function gasEstimateL1Component(address, bool, bytes calldata data)
        external
        payable
        returns (uint64 gasEstimateForL1, uint256 baseFee, uint256 l1BaseFeeEstimate)
    {
        baseFee = block.basefee == 0 ? tx.gasprice : block.basefee;
        uint256 fee = data.length * gasPerByte * l1BaseFee;
        gasEstimateForL1 = baseFee == 0 ? 0 : uint64(fee / baseFee);
        l1BaseFeeEstimate = l1BaseFee;
    }
}
